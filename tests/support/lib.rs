//! What the end-to-end tests share: building models once, running verifiers, reading expectations.

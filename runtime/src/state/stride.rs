//! How many words a stored state has: the only thing that engines are generic over.

/// Words per stored state, fixed while an engine runs.
pub trait Stride: Copy + Send + Sync + 'static {
    fn words(self) -> usize;
}

/// Known to the Rust compiler, so that hashing and comparing become straight code.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<const N: usize>;

/// For everything larger.
#[derive(Clone, Copy, Debug)]
pub struct Dynamic(pub usize);

impl<const N: usize> Stride for Fixed<N> {
    #[inline(always)]
    fn words(self) -> usize {
        N
    }
}

impl Stride for Dynamic {
    #[inline(always)]
    fn words(self) -> usize {
        self.0
    }
}

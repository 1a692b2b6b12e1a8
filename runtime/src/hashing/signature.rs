//! How many bits of a state's hash are kept where signatures take the place of states.

/// How wide a slot is: from 8 to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits(u32);

impl Bits {
    pub const LEAST: u32 = 8;
    pub const MOST: u32 = 64;
    pub const DEFAULT: Bits = Bits(40);
    /// On disk a state is compared with all others, not with a few.
    pub const ON_DISK: Bits = Bits(48);

    pub fn new(bits: u32) -> Option<Self> {
        (Self::LEAST..=Self::MOST).contains(&bits).then_some(Bits(bits))
    }

    pub fn get(self) -> u32 {
        self.0
    }

    /// The largest signature, which is also how many there are.
    #[inline(always)]
    pub fn signatures(self) -> u64 {
        u64::MAX >> (64 - self.0)
    }

    /// The signature that 64 random bits are: all are equally likely, as far as 64 bits can be
    /// dealt out equally.
    #[inline(always)]
    pub fn signature(self, random: u64) -> u64 {
        1 + ((u128::from(random) * u128::from(self.signatures())) >> 64) as u64
    }

    /// The probability of the likeliest signature, when 2^64 equally likely numbers are mapped to
    /// the signatures.
    pub fn likeliest(self) -> f64 {
        let most = (u64::MAX / self.signatures()) as f64 + 1.0;
        // 2^64 is divided by 2^b - 1 without a rest only if that is one.
        most * 2f64.powi(-64)
    }
}

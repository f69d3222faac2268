//! How the allocator of glibc asks the system for memory.
//!
//! A render runs on a thread of its own, for its stack. There glibc asks for one page after the other, which takes a tenth
//! to a sixth of the time where many small things are kept. In its first arena it asks for more at once.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the declaration is that of `mallopt(3)`, which takes any two numbers")]
mod glibc {
    use std::ffi::c_int;

    // The names and numbers of `malloc.h`.
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_TOP_PAD: c_int = -2;
    const M_MMAP_THRESHOLD: c_int = -3;
    const M_ARENA_MAX: c_int = -8;

    const MIB: c_int = 1 << 20;

    /// What is set; numbers are bytes but for that of arenas. The thresholds must be set with the padding: they no longer
    /// follow what is freed once one of them is set.
    pub(super) const SETTINGS: [(c_int, c_int); 4] =
        [(M_ARENA_MAX, 1), (M_TOP_PAD, MIB), (M_TRIM_THRESHOLD, 64 * MIB), (M_MMAP_THRESHOLD, 4 * MIB)];

    unsafe extern "C" {
        pub(super) safe fn mallopt(parameter: c_int, value: c_int) -> c_int;
    }
}

/// To be called before there is a second thread. Other allocators stay as they are.
pub(crate) fn prepare() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (parameter, value) in glibc::SETTINGS {
        // A number that it does not know changes nothing.
        glibc::mallopt(parameter, value);
    }
}

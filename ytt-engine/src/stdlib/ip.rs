//! `@ytt:ip`: `parse_addr` and `parse_cidr`.
//!
//! Addresses are those of the standard library; an IPv4 address written inside of an IPv6 one (`::ffff:1.2.3.4`) is an
//! IPv4 address, as in the reference.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use starlark::eval::Evaluator;
use starlark::values::tuple::AllocTuple;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{only_text, wrong};
use super::{constant, value_object};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::{FileInstance, Returned};

pub(super) const FUNCTIONS: Functions = &[("parse_addr", parse_addr), ("parse_cidr", parse_cidr)];

fn parse_addr<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let written = only_text(function, &given)?;
    let written = String::from_utf8_lossy(&written);
    match written.parse::<IpAddr>() {
        Ok(address) => Ok(addr_object(function.inst, address.to_canonical(), eval.heap())),
        Err(_) => Err(wrong(format!("invalid IP address: {written}"))),
    }
}

fn parse_cidr<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let written = only_text(function, &given)?;
    let written = String::from_utf8_lossy(&written);
    let Some((address, network)) = cidr(&written) else {
        return Err(wrong(format!("invalid CIDR address: {written}")));
    };
    let (inst, heap) = (function.inst, eval.heap());
    let masked = addr_object(inst, network.address, heap);
    let members = [
        ("addr", constant(inst, "ip.net.addr", masked, heap)),
        ("string", constant(inst, "ip.net.string", heap.alloc(network.to_string()), heap)),
    ];
    let network = value_object("@ytt:ip.net", members, heap);
    Ok(heap.alloc(AllocTuple([addr_object(inst, address, heap), network])))
}

fn addr_object<'v>(inst: ValueTyped<'v, FileInstance<'v>>, address: IpAddr, heap: Heap<'v>) -> Value<'v> {
    let members = [
        ("is_ipv4", constant(inst, "ip.addr.is_ipv4", Value::new_bool(address.is_ipv4()), heap)),
        ("is_ipv6", constant(inst, "ip.addr.is_ipv6", Value::new_bool(address.is_ipv6()), heap)),
        ("string", constant(inst, "ip.addr.string", heap.alloc(address.to_string()), heap)),
    ];
    value_object("@ytt:ip.addr", members, heap)
}

/// A masked address and how many of its bits count.
#[derive(Debug)]
struct Network {
    address: IpAddr,
    prefix: u32,
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// The address and its network, of `ADDRESS/PREFIX`.
#[allow(
    clippy::arithmetic_side_effects,
    reason = "a prefix has at most the bits of its address, and a mapped address keeps 96 bits or more"
)]
fn cidr(written: &str) -> Option<(IpAddr, Network)> {
    let (address, prefix) = written.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let significant = prefix.trim_start_matches('0');
    let prefix: u32 = if significant.is_empty() { 0 } else { significant.parse().ok()? };
    let network = match address {
        IpAddr::V4(address) if prefix <= 32 => {
            let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or(0);
            Network { address: Ipv4Addr::from(u32::from(address) & mask).into(), prefix }
        }
        IpAddr::V6(address) if prefix <= 128 => {
            let mask = u128::MAX.checked_shl(128 - prefix).unwrap_or(0);
            let masked = Ipv6Addr::from(u128::from(address) & mask);
            match masked.to_ipv4_mapped() {
                Some(mapped) => Network { address: mapped.into(), prefix: prefix - 96 },
                None => Network { address: masked.into(), prefix },
            }
        }
        _ => return None,
    };
    Some((address.to_canonical(), network))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (written, expected) in [
            ("192.168.0.1", Some("192.168.0.1")),
            ("::ffff:1.2.3.4", Some("1.2.3.4")),
            ("::1.2.3.4", Some("::102:304")),
            ("1:0:0:2:0:0:0:3", Some("1:0:0:2::3")),
            ("2001:DB8::", Some("2001:db8::")),
            ("01.2.3.4", None),
            ("1.2.3", None),
            ("fe80::1%eth0", None),
            ("é", None),
        ] {
            let parsed = written.parse::<IpAddr>().ok().map(|address| address.to_canonical().to_string());
            assert_eq!(parsed.as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn networks() {
        for (written, expected) in [
            ("10.1.2.3/8", Some("10.1.2.3 10.0.0.0/8")),
            ("10.1.2.3/08", Some("10.1.2.3 10.0.0.0/8")),
            ("10.1.2.3/0", Some("10.1.2.3 0.0.0.0/0")),
            ("::ffff:1.2.3.4/96", Some("1.2.3.4 0.0.0.0/0")),
            ("::ffff:1.2.3.4/120", Some("1.2.3.4 1.2.3.0/24")),
            ("::ffff:1.2.3.4/8", Some("1.2.3.4 ::/8")),
            ("2001:db8:1::5/32", Some("2001:db8:1::5 2001:db8::/32")),
            ("1.2.3.4/33", None),
            ("1.2.3.4/+1", None),
            ("1.2.3.4/", None),
            ("1.2.3.4", None),
            ("::/129", None),
        ] {
            let parsed = cidr(written).map(|(address, network)| format!("{address} {network}"));
            assert_eq!(parsed.as_deref(), expected, "{written}");
        }
    }
}

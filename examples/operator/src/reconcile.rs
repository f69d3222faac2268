//! Makes a cluster what an environment says.

use std::error::Error;
use std::fmt;

use k8s_openapi::Metadata;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Serialize;

use crate::cluster::{Change, Cluster};
use crate::environment::Environment;

/// An object, and what became of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Applied {
    pub kind: &'static str,
    pub name: String,
    pub change: Change,
}

impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} {}", self.kind.to_lowercase(), self.name, self.change)
    }
}

/// Applies all objects of an environment: first what others refer to.
pub fn reconcile(
    environment: &Environment,
    tag: Option<&str>,
    cluster: &mut dyn Cluster,
) -> Result<Vec<Applied>, Box<dyn Error>> {
    let tag = tag.unwrap_or(environment.settings.image.tag);
    let deployments: Vec<Deployment> = environment.deployments.iter().map(|one| with_tag(one, tag)).collect();
    let mut applied = Vec::new();
    apply(environment.namespaces, cluster, &mut applied)?;
    apply(environment.config_maps, cluster, &mut applied)?;
    apply(environment.services, cluster, &mut applied)?;
    apply(&deployments, cluster, &mut applied)?;
    apply(environment.budgets, cluster, &mut applied)?;
    Ok(applied)
}

fn apply<T>(objects: &[T], cluster: &mut dyn Cluster, applied: &mut Vec<Applied>) -> Result<(), Box<dyn Error>>
where
    T: Metadata<Ty = ObjectMeta> + Serialize,
{
    for object in objects {
        let kind = T::KIND;
        let name = object.metadata().name.clone().ok_or_else(|| format!("a {kind} has no name"))?;
        let change = cluster.apply(kind, &name, serde_json::to_value(object)?)?;
        applied.push(Applied { kind, name, change });
    }
    Ok(())
}

/// The same deployment with another tag: what is known only now, set by the types of the API.
fn with_tag(deployment: &Deployment, tag: &str) -> Deployment {
    let mut deployment = deployment.clone();
    let pod = deployment.spec.as_mut().and_then(|spec| spec.template.spec.as_mut());
    for container in pod.into_iter().flat_map(|pod| &mut pod.containers) {
        if let Some((repository, _)) = container.image.as_deref().and_then(|image| image.rsplit_once(':')) {
            container.image = Some(format!("{repository}:{tag}"));
        }
    }
    deployment
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Memory;

    fn changed(applied: &[Applied]) -> Vec<String> {
        applied.iter().filter(|one| one.change != Change::Unchanged).map(Applied::to_string).collect()
    }

    #[test]
    fn what_is_applied_twice_changes_once() {
        let prod = Environment::find("prod").unwrap();
        let mut cluster = Memory::default();
        let first = reconcile(&prod, None, &mut cluster).unwrap();
        assert!(first.iter().all(|one| one.change == Change::Created), "{first:?}");
        let second = reconcile(&prod, None, &mut cluster).unwrap();
        assert_eq!((changed(&second), second.len()), (Vec::new(), first.len()));
        let third = reconcile(&prod, Some("2.4.0"), &mut cluster).unwrap();
        assert_eq!(changed(&third), ["deployment/api configured", "deployment/worker configured"]);
    }

    #[test]
    fn the_tag_of_each_image_is_replaced() {
        let dev = Environment::find("dev").unwrap();
        let deployment = with_tag(&dev.deployments[0], "2.4.0");
        let pod = deployment.spec.and_then(|spec| spec.template.spec).unwrap();
        assert_eq!(pod.containers[0].image.as_deref(), Some("ghcr.io/example/shop:2.4.0"));
    }
}

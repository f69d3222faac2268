//! What is applied in each environment. ytt renders it while this program is compiled.
//!
//! Settings and endpoints are constants of types that are made for them: nothing is read when the program runs. Objects
//! that are sent to a cluster have the types of `k8s-openapi`; that they fit is checked by tests which the macro makes.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Service};
use k8s_openapi::api::policy::v1::PodDisruptionBudget;

ytt_macros::include_ytt! {
    /// What the templates were rendered with for developers.
    pub static DEV: Settings = data_values("config", "overlays/dev");
    /// What the templates were rendered with for customers.
    pub static PROD: Settings = data_values("config", "overlays/prod");

    /// Where the shop can be reached. Both lists are of one type, since they are written with one name.
    pub static DEV_ENDPOINTS: [Endpoint] = documents("config", "overlays/dev") where kind = "Service";
    pub static PROD_ENDPOINTS: [Endpoint] = documents("config", "overlays/prod") where kind = "Service";
}

// Constants can be asked before anything runs.
const _: () = match PROD.min_available {
    Some(pods) => assert!(pods < PROD.api.replicas, "with this budget no node could ever be drained"),
    None => panic!("customers need a budget"),
};

mod dev {
    use std::sync::LazyLock;

    use super::{ConfigMap, Deployment, Namespace, Service};

    ytt_macros::include_ytt! {
        pub static NAMESPACES: LazyLock<Vec<Namespace>> =
            documents("config", "overlays/dev") where kind = "Namespace" as serde;
        pub static CONFIG_MAPS: LazyLock<Vec<ConfigMap>> =
            documents("config", "overlays/dev") where kind = "ConfigMap" as serde;
        pub static SERVICES: LazyLock<Vec<Service>> =
            documents("config", "overlays/dev") where kind = "Service" as serde;
        pub static DEPLOYMENTS: LazyLock<Vec<Deployment>> =
            documents("config", "overlays/dev") where kind = "Deployment" as serde;
    }
}

mod prod {
    use std::sync::LazyLock;

    use super::{ConfigMap, Deployment, Namespace, PodDisruptionBudget, Service};

    ytt_macros::include_ytt! {
        pub static NAMESPACES: LazyLock<Vec<Namespace>> =
            documents("config", "overlays/prod") where kind = "Namespace" as serde;
        pub static CONFIG_MAPS: LazyLock<Vec<ConfigMap>> =
            documents("config", "overlays/prod") where kind = "ConfigMap" as serde;
        pub static SERVICES: LazyLock<Vec<Service>> =
            documents("config", "overlays/prod") where kind = "Service" as serde;
        pub static DEPLOYMENTS: LazyLock<Vec<Deployment>> =
            documents("config", "overlays/prod") where kind = "Deployment" as serde;
        pub static BUDGETS: LazyLock<Vec<PodDisruptionBudget>> =
            documents("config", "overlays/prod") where kind = "PodDisruptionBudget" as serde;
    }
}

/// The objects of one environment, by kind, in the order in which they are needed.
pub struct Environment {
    pub settings: &'static Settings,
    pub endpoints: &'static [Endpoint],
    pub namespaces: &'static [Namespace],
    pub config_maps: &'static [ConfigMap],
    pub services: &'static [Service],
    pub deployments: &'static [Deployment],
    pub budgets: &'static [PodDisruptionBudget],
}

impl Environment {
    pub fn find(name: &str) -> Option<Environment> {
        match name {
            "dev" => Some(Environment {
                settings: &DEV,
                endpoints: DEV_ENDPOINTS,
                namespaces: &dev::NAMESPACES,
                config_maps: &dev::CONFIG_MAPS,
                services: &dev::SERVICES,
                deployments: &dev::DEPLOYMENTS,
                budgets: &[],
            }),
            "prod" => Some(Environment {
                settings: &PROD,
                endpoints: PROD_ENDPOINTS,
                namespaces: &prod::NAMESPACES,
                config_maps: &prod::CONFIG_MAPS,
                services: &prod::SERVICES,
                deployments: &prod::DEPLOYMENTS,
                budgets: &prod::BUDGETS,
            }),
            _ => None,
        }
    }
}

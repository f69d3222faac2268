//! `as fields`: what a generator writes, against types as Kubernetes has them.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

#[derive(Debug, Default, PartialEq)]
struct Deployment {
    metadata: ObjectMeta,
    spec: Option<DeploymentSpec>,
}

#[derive(Debug, Default, PartialEq)]
struct ObjectMeta {
    name: Option<String>,
    labels: Option<BTreeMap<String, String>>,
}

#[derive(Debug, PartialEq)]
struct DeploymentSpec {
    replicas: Option<i32>,
    paused: Option<bool>,
    revision_history_limit: Option<i32>,
    strategy: Option<Box<Strategy>>,
    template: PodTemplate,
}

impl Default for DeploymentSpec {
    fn default() -> DeploymentSpec {
        DeploymentSpec {
            replicas: Some(1),
            paused: Some(true),
            revision_history_limit: Some(10),
            strategy: None,
            template: PodTemplate::default(),
        }
    }
}

#[derive(Debug, Default, PartialEq)]
struct Strategy {
    r#type: Option<String>,
    max_surge: Option<IntOrString>,
}

#[derive(Debug, PartialEq)]
enum IntOrString {
    Int(i32),
    String(String),
}

#[derive(Debug, Default, PartialEq)]
struct PodTemplate {
    spec: Option<PodSpec>,
}

#[derive(Debug, Default, PartialEq)]
struct PodSpec {
    containers: Vec<Container>,
    node_selector: HashMap<&'static str, Vec<f64>>,
}

#[derive(Debug, Default, PartialEq)]
struct Container {
    name: String,
    image: Option<String>,
    args: Option<Vec<String>>,
    ports: Option<Vec<ContainerPort>>,
}

#[derive(Debug, Default, PartialEq)]
struct ContainerPort {
    container_port: i32,
    name: Option<String>,
}

// What a user writes for a type of their own that is no struct.
const _: () = {
    use ytt_engine::constant::fields::{Put, YamlInt, YamlText};

    impl<const N: i128, const BITS: i8> Put<YamlInt<N, BITS>> for IntOrString
    where
        i32: Put<YamlInt<N, BITS>>,
    {
        fn put(integer: YamlInt<N, BITS>) -> IntOrString {
            IntOrString::Int(Put::put(integer))
        }
    }

    impl Put<YamlText> for IntOrString {
        fn put(text: YamlText) -> IntOrString {
            IntOrString::String(Put::put(text))
        }
    }
};

// What is generated from:
//
//     metadata: {name: web, labels: {app: web, app.kubernetes.io/part-of: shop}}
//     spec:
//       replicas: 3
//       revisionHistoryLimit: null
//       strategy: {type: RollingUpdate, maxSurge: 25%}
//       template:
//         spec:
//           containers:
//           - name: web
//             image: shop/web:1
//             args: [-v, --all]
//             ports: [{containerPort: 8080, name: http}, {containerPort: 70000}]
//           - name: proxy
//             args: []
//           nodeSelector: {a: [1, 2.5], b: []}
#[rustfmt::skip]
static WEB: LazyLock<Deployment> = <LazyLock<Deployment>>::new(|| {
    use ::ytt_engine::constant::fields::{self as __f, Plain as _};
    let mut __0 = <Deployment as ::core::default::Default>::default();
    {
        let __1 = __f::Slot(&mut __0).slot();
        {
            let __2 = __f::Slot(&mut __1.metadata).slot();
            __f::put(__f::YamlText("web"), &mut __2.name);
            {
                let __3 = __f::map(__f::Slot(&mut __2.labels).slot());
                __f::set(__f::YamlText("app"), __f::YamlText("web"), __3);
                __f::set(__f::YamlText("app.kubernetes.io/part-of"), __f::YamlText("shop"), __3);
            }
        }
        {
            let __2 = __f::Slot(&mut __1.spec).slot();
            __f::put(__f::YamlInt::<3, 7>, &mut __2.replicas);
            __f::put(__f::YamlNull, &mut __2.revision_history_limit);
            {
                let __3 = __f::Slot(&mut __2.strategy).slot();
                __f::put(__f::YamlText("RollingUpdate"), &mut __3.r#type);
                __f::put(__f::YamlText("25%"), &mut __3.max_surge);
            }
            {
                let __3 = __f::Slot(&mut __2.template).slot();
                {
                    let __4 = __f::Slot(&mut __3.spec).slot();
                    {
                        let __5 = __f::list(__f::Slot(&mut __4.containers).slot());
                        {
                            let __6 = __f::Slot(__f::item(__5)).slot();
                            __f::put(__f::YamlText("web"), &mut __6.name);
                            __f::put(__f::YamlText("shop/web:1"), &mut __6.image);
                            {
                                let __7 = __f::list(__f::Slot(&mut __6.args).slot());
                                __f::add(__f::YamlText("-v"), __7);
                                __f::add(__f::YamlText("--all"), __7);
                            }
                            {
                                let __7 = __f::list(__f::Slot(&mut __6.ports).slot());
                                {
                                    let __8 = __f::Slot(__f::item(__7)).slot();
                                    __f::put(__f::YamlInt::<8080, 15>, &mut __8.container_port);
                                    __f::put(__f::YamlText("http"), &mut __8.name);
                                }
                                {
                                    let __8 = __f::Slot(__f::item(__7)).slot();
                                    __f::put(__f::YamlInt::<70000, 31>, &mut __8.container_port);
                                }
                            }
                        }
                        {
                            let __6 = __f::Slot(__f::item(__5)).slot();
                            __f::put(__f::YamlText("proxy"), &mut __6.name);
                            {
                                let __7 = __f::list(__f::Slot(&mut __6.args).slot());
                            }
                        }
                    }
                    {
                        let __5 = __f::map(__f::Slot(&mut __4.node_selector).slot());
                        {
                            let __6 = __f::list(__f::Slot(__f::entry(__f::YamlText("a"), __5)).slot());
                            __f::add(__f::YamlInt::<1, 7>, __6);
                            __f::add(__f::YamlFloat(2.5), __6);
                        }
                        {
                            let __6 = __f::list(__f::Slot(__f::entry(__f::YamlText("b"), __5)).slot());
                        }
                    }
                }
            }
        }
    }
    __0
});

#[test]
fn a_type_is_filled_by_paths() {
    let text = |text: &str| Some(text.to_owned());
    let labels = [("app", "web"), ("app.kubernetes.io/part-of", "shop")];
    let web = Container {
        name: "web".into(),
        image: text("shop/web:1"),
        args: Some(vec!["-v".into(), "--all".into()]),
        ports: Some(vec![
            ContainerPort { container_port: 8080, name: text("http") },
            ContainerPort { container_port: 70_000, name: None },
        ]),
    };
    let proxy = Container { name: "proxy".into(), args: Some(vec![]), ..Container::default() };
    let pod =
        PodSpec { containers: vec![web, proxy], node_selector: HashMap::from([("a", vec![1.0, 2.5]), ("b", vec![])]) };
    let strategy = Strategy { r#type: text("RollingUpdate"), max_surge: Some(IntOrString::String("25%".into())) };
    let expected = Deployment {
        metadata: ObjectMeta {
            name: text("web"),
            labels: Some(labels.map(|(key, value)| (key.to_owned(), value.to_owned())).into()),
        },
        spec: Some(DeploymentSpec {
            replicas: Some(3),
            // Not in the YAML, so as `Default` has it.
            paused: Some(true),
            revision_history_limit: None,
            strategy: Some(Box::new(strategy)),
            template: PodTemplate { spec: Some(pod) },
        }),
    };
    assert_eq!(*WEB, expected);
    assert_ne!(expected.spec.unwrap().strategy.unwrap().max_surge, Some(IntOrString::Int(25)));
}

#[test]
fn documents_fill_an_array() {
    static PORTS: LazyLock<Vec<ContainerPort>> = <LazyLock<Vec<ContainerPort>>>::new(|| {
        use ::ytt_engine::constant::fields::{self as __f, Plain as _};
        let mut __0 = <Vec<ContainerPort> as ::core::default::Default>::default();
        {
            let __1 = __f::list(__f::Slot(&mut __0).slot());
            {
                let __2 = __f::Slot(__f::item(__1)).slot();
                __f::put(__f::YamlInt::<-1, -7>, &mut __2.container_port);
            }
        }
        __0
    });
    assert_eq!(*PORTS, [ContainerPort { container_port: -1, name: None }]);
}

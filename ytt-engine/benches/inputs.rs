//! Inputs that benches generate: ordinary Kubernetes YAML, as text and as a template with a loop.

/// A Deployment of 30 lines.
fn deployment(number: usize) -> String {
    format!(
        "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{number}
  namespace: shop
  labels:
    app: web-{number}
    tier: frontend
spec:
  replicas: {}
  selector:
    matchLabels:
      app: web-{number}
  template:
    metadata:
      labels:
        app: web-{number}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/web:1.4.{number}
        ports:
        - containerPort: 8080
        env:
        - name: LOG_LEVEL
          value: info
        resources:
          requests:
            cpu: 100m
          limits:
            memory: 256Mi
",
        number % 7 + 1
    )
}

/// Documents of ordinary YAML, at least `bytes` long together.
pub fn plain(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 1000);
    let mut number = 0;
    while text.len() < bytes {
        text.push_str("---\n");
        text.push_str(&deployment(number));
        number += 1;
    }
    text
}

/// A template that makes `count` Deployments of 30 lines in a loop, with two functions.
pub fn template(count: usize) -> String {
    let body = deployment(7)
        .replace("name: web-7", "name: #@ name(i)")
        .replace("app: web-7", "app: #@ name(i)")
        .replace("image: registry.example.com/shop/web:1.4.7", "image: #@ image(i)")
        .replace("replicas: 1", "replicas: #@ i % 7 + 1");
    format!(
        "#@ def name(i):\n#@   return \"web-\" + str(i)\n#@ end\n#@ def image(i):\n#@   return \"registry.example.com/shop/web:1.4.\" + str(i)\n#@ end\n#@ for i in range({count}):\n---\n{body}#@ end\n"
    )
}

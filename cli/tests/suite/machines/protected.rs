//! Encryption, passwords and credentials.

use super::{Process, Server};
use crate::common;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Copies files from `tests/data/machines`, which `tests/data/README.md` describes.
fn copy(names: [&str; 3], folder: &Path) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/machines");
    for name in names {
        fs::copy(data.join(name), folder.join(name)).unwrap();
    }
}

/// Checks that two workers solve a set for a coordinator with the same credentials.
fn works(server: &Server, url: &str, access: &str) {
    let options = "--algorithm dfpn --threads 1 --nodes 20000";
    let alone = server.alone(options);
    let _worker = Process::start(&format!("work --connect {url} --threads 1 {access}"));
    let asks = server.solve("results.jsonl", &format!("{options} --on {url} {access}"));
    let (status, errors) = Process::start_in(&asks, Stdio::null(), Stdio::piped()).end();
    assert_eq!(status, Some(2), "{errors}");
    assert_eq!(server.results("results.jsonl"), alone);
    let status = common::json(&format!("status {url} {access} --json"));
    assert_eq!(status["runs"], json!([]));
}

#[test]
fn nobody_comes_in_without_the_certificate_and_the_password() {
    let Some((folder, port)) = Server::prepare("tls") else { return };
    copy(["ca.pem", "server.pem", "server.key"], &folder);
    fs::write(folder.join("secret"), "open sesame\n").unwrap();
    fs::write(folder.join("wrong"), "open barley\n").unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let url = format!("tls://localhost:{port}");
    let serve = format!(
        "serve tls://127.0.0.1:{port} --store {} --tls-cert {} --tls-key {} --user me \
         --password-file {}",
        path("store"),
        path("server.pem"),
        path("server.key"),
        path("secret")
    );
    let server = Server {
        process: Server::wait(Process::start(&serve), port),
        folder: folder.clone(),
        port,
    };
    let (ca, user) = (format!("--tls-ca {}", path("ca.pem")), "--user me --password-file");
    for (url, access) in [
        (&url, String::new()),
        (&url, format!("{ca} {user} {}", path("wrong"))),
        (&url, ca.clone()),
        // The signer of the certificate is unknown.
        (&url, format!("{user} {}", path("secret"))),
        // The server requires encryption.
        (&format!("nats://127.0.0.1:{port}"), String::new()),
    ] {
        let (status, _, errors) = common::run(&format!("status {url} {access}"));
        assert_eq!(status, 1, "{access}: {errors}");
        assert!(errors.contains("no server answers"), "{access}: {errors}");
    }
    works(&server, &url, &format!("{ca} {user} {}", path("secret")));
}

/// Checks that a server admits a user's credentials, but not a stranger's or none.
#[test]
fn credentials_open_the_server() {
    let Some((folder, port)) = Server::prepare("creds") else { return };
    copy(["accounts.conf", "user.creds", "stranger.creds"], &folder);
    let store = folder.join("store");
    let config = format!(
        "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: {store:?} }}\n\
         include \"accounts.conf\"\n",
    );
    fs::write(folder.join("server.conf"), config).unwrap();
    let mut command = Command::new("nats-server");
    command.arg("--config").arg(folder.join("server.conf"));
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let process = Process(command.spawn().unwrap());
    let server = Server { process: Server::wait(process, port), folder: folder.clone(), port };
    let url = server.url();
    let creds = |name: &str| format!("--creds {}", folder.join(name).display());
    for access in [String::new(), creds("stranger.creds")] {
        let (status, _, errors) = common::run(&format!("status {url} {access}"));
        assert_eq!(status, 1, "{access}: {errors}");
    }
    works(&server, &url, &creds("user.creds"));
}

//! Encryption, passwords and credentials.

use super::{Process, Server};
use crate::common;
use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes the certificate of an authority and one of a server with its key.
fn write_certificates(folder: &Path) {
    let mut authority = CertificateParams::new(Vec::new()).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority =
        CertifiedIssuer::self_signed(authority, rcgen::KeyPair::generate().unwrap()).unwrap();
    let key = rcgen::KeyPair::generate().unwrap();
    let names = vec!["localhost".to_string(), "127.0.0.1".to_string()];
    let server = CertificateParams::new(names).unwrap().signed_by(&key, &authority).unwrap();
    fs::write(folder.join("ca.pem"), authority.pem()).unwrap();
    fs::write(folder.join("server.pem"), server.pem()).unwrap();
    fs::write(folder.join("server.key"), key.serialize_pem()).unwrap();
    fs::write(folder.join("secret"), "open sesame\n").unwrap();
    fs::write(folder.join("wrong"), "open barley\n").unwrap();
}

/// Two workers do a set for somebody who comes in as they do.
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
    write_certificates(&folder);
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
        // Who signed it is not known.
        (&url, format!("{user} {}", path("secret"))),
        // Encryption is asked for by the server.
        (&format!("nats://127.0.0.1:{port}"), String::new()),
    ] {
        let (status, _, errors) = common::run(&format!("status {url} {access}"));
        assert_eq!(status, 1, "{access}: {errors}");
        assert!(errors.contains("no server answers"), "{access}: {errors}");
    }
    works(&server, &url, &format!("{ca} {user} {}", path("secret")));
}

/// A token as NATS has them: claims, signed by who issued them.
fn token(issuer: &KeyPair, subject: &str, name: &str, nats: Value) -> String {
    let encode = |value: Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let head = encode(json!({"typ": "JWT", "alg": "ed25519-nkey"}));
    let claims = encode(json!({"jti": name, "iat": 1_700_000_000, "iss": issuer.public_key(),
        "name": name, "sub": subject, "nats": nats}));
    let text = format!("{head}.{claims}");
    let signature = BASE64URL_NOPAD.encode(&issuer.sign(text.as_bytes()).unwrap());
    format!("{text}.{signature}")
}

/// A server whose users come with credentials: an operator's, with one account.
#[test]
fn credentials_open_the_server() {
    let Some((folder, port)) = Server::prepare("creds") else { return };
    let (operator, account, user) =
        (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_user());
    let without_limits = json!({"subs": -1, "data": -1, "payload": -1});
    let mut limits = without_limits.clone();
    let all = json!({"imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1});
    limits.as_object_mut().unwrap().extend(all.as_object().unwrap().clone());
    let operator_token = token(
        &operator,
        &operator.public_key(),
        "operator",
        json!({"type": "operator", "version": 2}),
    );
    // The server wants one of its own, too.
    let system = KeyPair::new_account();
    let mut of_system = limits.clone();
    for storage in ["mem_storage", "disk_storage", "streams", "consumer"] {
        of_system.as_object_mut().unwrap().remove(storage);
    }
    let [account_token, system_token] =
        [(&account, limits), (&system, of_system)].map(|(account, limits)| {
            let claims = json!({"type": "account", "version": 2, "limits": limits});
            token(&operator, &account.public_key(), "account", claims)
        });
    let mut claims = without_limits;
    claims
        .as_object_mut()
        .unwrap()
        .extend([("type".to_string(), json!("user")), ("version".to_string(), json!(2))]);
    let user_token = token(&account, &user.public_key(), "user", claims);
    let creds = format!(
        "-----BEGIN NATS USER JWT-----\n{user_token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        user.seed().unwrap()
    );
    let stranger = creds.replace(&user.seed().unwrap(), &KeyPair::new_user().seed().unwrap());
    fs::write(folder.join("user.creds"), creds).unwrap();
    fs::write(folder.join("stranger.creds"), stranger).unwrap();
    let (store, own, of_server) = (folder.join("store"), account.public_key(), system.public_key());
    let config = format!(
        "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: {store:?} }}\n\
         operator: {operator_token}\nsystem_account: {of_server}\nresolver: MEMORY\n\
         resolver_preload: {{ {own}: {account_token}, {of_server}: {system_token} }}\n",
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

//! Tests the page and its engine over HTTP, with requests as browsers and attackers send them.

use proofwood::{Budget, Config};
use proofwood_any_game::find;
use proofwood_explorer::serve::{Exploring, Server};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A server of the page on a thread of its own.
struct Served {
    server: Option<JoinHandle<()>>,
    end: Box<dyn Fn() + Send>,
    address: String,
    port: u16,
    /// The path that contains the token, with a / at both ends.
    root: String,
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Served {
    fn begin(exploring: Exploring) -> Served {
        let server = Server::open(Exploring { threads: 2, ..exploring }).expect("a free port");
        let (address, end) = (server.address(), Box::new(server.end()));
        let server = Some(thread::spawn(move || server.run()));
        let rest = address.strip_prefix("http://127.0.0.1:").expect(&address);
        let (port, path) = rest.split_once('/').expect("a path");
        let (token, _) = path.split_once('/').expect("a token");
        let (port, root) = (port.parse().expect("a port"), format!("/{token}/"));
        Served { server, end, address, port, root }
    }

    fn send(&self, request: &[u8]) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request).expect("it takes the request");
        let mut answer = Vec::new();
        // A server that refuses a request may close the connection before it has read everything.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        Reply { status, head: head.to_ascii_lowercase(), body: body.to_string() }
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: 127.0.0.1:{}\r\n", self.port),
        };
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        self.send(text.as_bytes())
    }

    fn get(&self, path: &str) -> Reply {
        self.request("GET", path, "", "")
    }

    /// Opens the page; returns the path of its session.
    fn open(&self) -> String {
        let reply = self.get(&self.root);
        assert_eq!(reply.status, 303, "{}", reply.head);
        let place = reply.head.lines().find_map(|line| line.strip_prefix("location: "));
        place.expect("where to go on").trim().to_string()
    }

    fn ask(&self, session: &str, request: &Value) {
        let reply = self.request("POST", &format!("{session}ask"), "", &request.to_string());
        assert_eq!(reply.status, 204, "{}", reply.body);
    }

    /// Fetches answers until one to this request satisfies `is_right`.
    fn wait(&self, session: &str, id: u64, is_right: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(120) {
            let reply = self.get(&format!("{session}answers"));
            assert_eq!(reply.status, 200, "{}", reply.body);
            let answers = reply.body.lines().filter(|line| !line.trim().is_empty());
            let answers = answers.map(|line| serde_json::from_str::<Value>(line).expect(line));
            for answer in answers {
                if answer["id"] == id && is_right(&answer) {
                    return answer;
                }
            }
        }
        panic!("no answer to {id}");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        (self.end)();
        if let Some(server) = self.server.take() {
            server.join().expect("it ends");
        }
    }
}

fn is_done(answer: &Value) -> bool {
    answer["done"] == true
}

#[test]
fn strangers_are_told_nothing() {
    let served = Served::begin(Exploring::default());
    let (root, port) = (&served.root, served.port);
    assert_eq!(served.get("/").status, 404);
    assert_eq!(served.get("/00000000000000000000000000000000/").status, 404);
    assert_eq!(served.get(&root[..root.len() - 1]).status, 303, "the token alone is enough");
    for headers in [
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".into(),
        "Origin: http://evil.example\r\n".into(),
        "Origin: null\r\n".into(),
    ] {
        let reply = served.request("GET", root, &headers, "");
        assert_eq!(reply.status, 403, "{headers}");
        assert!(!reply.body.contains("<html") && !reply.head.contains("access-control"));
    }
    // Browsers connect before they have a request. These connections must not block others.
    let idle: Vec<TcpStream> =
        (0..12).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    let session = served.open();
    let own = format!("Origin: http://127.0.0.1:{port}\r\n");
    let page = served.request("GET", &session, &own, "");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("content=\"http\""), "the page asks this server");
    for header in ["nosniff", "no-store", "no-referrer", "frame-ancestors 'none'"] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    // Every part that the page refers to exists, and nothing else does.
    let parts = page.body.split("src=\"").chain(page.body.split("href=\"")).skip(1);
    let parts: Vec<&str> = parts
        .filter_map(|rest| rest.split('"').next())
        .filter(|part| part.ends_with(".js") || part.ends_with(".css"))
        .collect();
    assert!(parts.len() >= 3, "{parts:?}");
    for part in parts {
        assert_eq!(served.get(&format!("{session}{part}")).status, 200, "{part}");
    }
    for none in ["../Cargo.toml", "none.js", "certificate", "ask/x"] {
        assert_eq!(served.get(&format!("{session}{none}")).status, 404, "{none}");
    }
    assert_eq!(served.get(&format!("{root}99/answers")).status, 410);
    assert_eq!(served.request("PUT", &format!("{session}ask"), "", "x").status, 405);
    // A request that is too large is refused before it is read.
    let large = format!(
        "POST {session}ask HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\
         Content-Length: 9999999999\r\n\r\n"
    );
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(large.as_bytes()).unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 413");
    assert_eq!(served.send(b"nonsense\r\n\r\n").status, 400);
    let host = format!("Host: localhost:{port}\r\n");
    let coded = format!("POST {session}ask HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n");
    assert_eq!(served.send(coded.as_bytes()).status, 411);
    drop(idle);
}

#[test]
fn a_search_is_asked_for_watched_and_stopped() {
    let fragment = "#game=connect-four&moves=4,4,3,3&ask=who-wins".to_string();
    let served = Served::begin(Exploring { fragment: fragment.clone(), ..Exploring::default() });
    assert!(served.address.ends_with(&fragment), "{}", served.address);
    let (one, other) = (served.open(), served.open());
    assert_ne!(one, other);
    let begin = json!({"id": 1, "ask": "search", "game": "othello", "every": 0.05});
    served.ask(&one, &begin);
    let first = served.wait(&one, 1, |answer| answer["playouts"].as_u64() > Some(0));
    assert_ne!(first["done"], true, "{first}");
    // Another page uses its own engine meanwhile.
    served.ask(&other, &json!({"id": 1, "ask": "solve", "game": "tic-tac-toe"}));
    let solved = served.wait(&other, 1, is_done);
    assert_eq!(solved["proven"], "draw", "{solved}");
    served.ask(&one, &json!({"id": 2, "ask": "tree", "path": [], "depth": 1, "width": 3}));
    let tree = served.wait(&one, 2, is_done);
    assert!(tree["error"].is_null() && tree["tree"].is_object(), "{tree}");
    served.ask(&one, &json!({"id": 3, "ask": "stop", "which": 1}));
    let last = served.wait(&one, 1, is_done);
    assert!(last["playouts"].as_u64() >= first["playouts"].as_u64(), "{last}");
    // An invalid request is answered with an error, and the session continues.
    for wrong in ["{", "[]", "", "{\"id\": 7, \"ask\": \"nonsense\"}", "\u{0}"] {
        let reply = served.request("POST", &format!("{one}ask"), "", wrong);
        assert_eq!(reply.status, 204, "{wrong}");
    }
    assert!(served.wait(&one, 7, is_done)["error"].is_string());
    let bytes = [b"POST ", one.as_bytes(), b"ask HTTP/1.1\r\nHost: localhost:"].concat();
    let rest = format!("{}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n", served.port);
    let reply = served.send(&[&bytes, rest.as_bytes(), &[0xff, 0xfe]].concat());
    assert_eq!(reply.status, 400);
}

#[test]
fn a_second_page_with_the_same_address_has_an_engine_of_its_own() {
    let served = Served::begin(Exploring::default());
    let session = served.open();
    assert_eq!(served.get(&session).status, 200);
    let second = served.get(&session);
    assert_eq!(second.status, 303, "{}", second.head);
    let place = second.head.lines().find_map(|line| line.strip_prefix("location: "));
    assert_ne!(place.expect("where to go on").trim(), session);
    // The first page's engine lives until its page ends.
    served.ask(&session, &json!({"id": 1, "ask": "games"}));
    assert!(served.wait(&session, 1, is_done)["games"].is_array());
    assert_eq!(served.request("POST", &format!("{session}end"), "", "").status, 204);
    assert_eq!(served.get(&format!("{session}answers")).status, 410);
}

#[test]
fn certificates_and_trees_are_served() {
    let certificate = Some(vec![0x1f, 0x8b, 0x08]);
    let served = Served::begin(Exploring { certificate, ..Exploring::default() });
    let session = served.open();
    let reply = served.get(&format!("{session}certificate"));
    assert_eq!(reply.status, 200);
    assert!(reply.body.starts_with('\u{1f}'), "compressed");

    // A loaded tree is searched further.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tree");
    let position = find("othello:6").unwrap().start();
    let mut search = position.search(&Config::default().threads(1).seed(1)).unwrap();
    search.start(&Budget::default().playouts(1000)).unwrap();
    search.wait().unwrap();
    search.save_tree("othello:6", &mut File::create(&path).unwrap()).unwrap();
    let tree = Exploring::of_file(path.to_str().unwrap(), None, None).unwrap();
    assert!(tree.fragment.ends_with("&ask=kept"), "{}", tree.fragment);
    let served = Served::begin(tree);
    let session = served.open();
    served.ask(&session, &json!({"id": 1, "ask": "kept"}));
    let said = served.wait(&session, 1, is_done);
    assert_eq!(said["playouts"], 1000, "{said}");
    let more = json!({"id": 2, "ask": "search", "game": "othello:6", "playouts": 500,
        "options": said["options"]});
    served.ask(&session, &more);
    let more = served.wait(&session, 2, is_done);
    assert!(more["playouts"].as_u64() >= Some(1500), "{more}");
}

"""The servers the benches load: nginx with one worker, and Lapbench's built-in one."""
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

from . import machine

WHOLE_ANSWER = 178  # bytes, head and body

NGINX = """daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log error; worker_processes 1; {user}
events {{ worker_connections 20000; }}
http {{ access_log off; keepalive_requests 100000000; keepalive_timeout 3600s; server_tokens off;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder};
  map $request_id $eight {{ "~^(?<first>.{{8}})" $first; }}
  server {{ listen 127.0.0.1:{port} backlog=8192 {listen}; {tls}
    location / {{ default_type text/plain; {header} return 200 "{body}\\n"; }} }} }}
"""
# One cipher for everybody, so that no tool is measured by what it prefers.
TLS = """ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    ssl_protocols TLSv1.3; ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256;"""
NEW_HEADER = "add_header X-N $eight;"  # "X-N: 01234567\r\n", another one in every answer


class Server:
    """A server that runs until stop(). `name` is for people, `process` the root of its tree."""

    def __init__(self, name, process, url):
        self.name, self.process, self.url = name, process, url

    def cpu_seconds(self):
        return machine.cpu_seconds(self.process.pid)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def find_nginx():
    return shutil.which("nginx") or (os.access("/usr/sbin/nginx", os.X_OK) and "/usr/sbin/nginx") or None


def await_port(process, port, name):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            time.sleep(0.01)
    process.terminate()
    sys.exit(f"{name} did not start")


def make_certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                    "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def start_nginx(folder, core, tls=False, http2=False, new_heads=False):
    nginx = find_nginx()
    if not nginx:
        sys.exit("nginx is not there; install the package nginx")
    port = free_port()
    if tls:
        make_certificate(folder)
    # What the head takes with Debian's nginx; checked against the real answer below.
    head = 141 + (len("X-N: 01234567\r\n") if new_heads else 0)
    body = ("0123456789abcdef" * 4)[:WHOLE_ANSWER - head - 1]
    config = os.path.join(folder, "nginx.conf")
    with open(config, "w") as file:
        file.write(NGINX.format(folder=folder, port=port, body=body, user="user root;" if os.geteuid() == 0 else "",
                                listen=("ssl " if tls else "") + ("http2" if http2 else ""),
                                tls=TLS.format(folder=folder) if tls else "",
                                header=NEW_HEADER if new_heads else ""))
    process = subprocess.Popen(machine.pinned(core, [nginx, "-p", folder, "-c", config]), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    await_port(process, port, "nginx")
    name = "nginx" + (", TLS" if tls else "") + (", HTTP/2" + ("" if tls else " without TLS") if http2 else "")
    server = Server(name, process, f"http{'s' if tls else ''}://127.0.0.1:{port}/")
    if not http2:
        size = answer_size(port, tls)
        if size != WHOLE_ANSWER:
            print(f"note: this nginx answers {size} bytes, not {WHOLE_ANSWER}", file=sys.stderr)
    return server


def start_builtin(cli, core):
    process = subprocess.Popen(machine.pinned(core, [cli, "serve", "--port", "0"]), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    if "http://" not in line:
        process.terminate()
        sys.exit("the built-in server did not start")
    return Server("the built-in server", process, line.split()[-1] + "/")


def answer_size(port, tls):
    """Bytes of one whole answer."""
    with socket.create_connection(("127.0.0.1", port), 5) as plain:
        if tls:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        wire = context.wrap_socket(plain) if tls else plain
        wire.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += wire.recv(65536)
        head, _, body = answer.partition(b"\r\n\r\n")
        length = int(re.search(rb"\r\ncontent-length: *(\d+)", head, re.I).group(1))
        while len(body) < length:
            body += wire.recv(65536)
        return len(head) + 4 + len(body)

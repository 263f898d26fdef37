"""An object store on loopback that speaks as much of S3 as polars needs: listing, HEAD and ranged GET."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

KEY = "someone"


class Store(BaseHTTPRequestHandler):
    """Answers requests from the server's buckets, which are dicts from keys to bytes."""

    def do_GET(self):
        url = urlsplit(self.path)
        bucket, _, key = unquote(url.path.lstrip("/")).partition("/")
        asked = parse_qs(url.query)
        if f"Credential={KEY}/" not in self.headers.get("Authorization", ""):
            self._refuse(403, "AccessDenied")
        elif bucket not in self.server.buckets:
            self._refuse(404, "NoSuchBucket")
        elif "list-type" in asked:
            self._list(self.server.buckets[bucket], asked.get("prefix", [""])[0])
        elif key not in self.server.buckets[bucket]:
            self._refuse(404, "NoSuchKey")
        else:
            self._give(self.server.buckets[bucket][key])

    def do_HEAD(self):
        self.do_GET()

    def _list(self, objects, prefix):
        found = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{len(data)}</Size><ETag>&quot;{hash(data)}&quot;</ETag>"
            "<LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents>"
            for key, data in sorted(objects.items())
            if key.startswith(prefix)
        )
        text = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"
        self._answer(200, text.encode(), {"Content-Type": "application/xml"})

    def _give(self, data):
        span = self.headers.get("Range")
        headers = {"ETag": f'"{hash(data)}"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
        if span is None:
            self._answer(200, data, headers)
            return
        first, _, last = span.removeprefix("bytes=").partition("-")
        start = int(first) if first else max(0, len(data) - int(last))
        end = min(int(last) + 1 if first and last else len(data), len(data))
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
        self._answer(206, data[start:end], headers)

    def _refuse(self, status, code):
        self._answer(status, f"<Error><Code>{code}</Code></Error>".encode(), {})

    def _answer(self, status, body, headers):
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *told):
        """Keep quiet."""


@contextmanager
def served(buckets):
    """Serve some buckets; yield the options with which polars reaches them."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
    server.buckets = buckets
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield {
            "aws_endpoint_url": f"http://127.0.0.1:{server.server_port}",
            "aws_access_key_id": KEY,
            "aws_secret_access_key": "secret",
            "aws_region": "us-east-1",
            "aws_allow_http": "true",
            "max_retries": 0,
        }
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

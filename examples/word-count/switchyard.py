"""What a worker needs of Switchyard, in plain Python: requests that are safe to repeat, and a turn that is held by its epoch.

Nothing but the standard library; copy it. The protocol is told in docs/workers.md.
"""
import json, os, socket, time, urllib.error, urllib.request, uuid

WORKER = f"python-{socket.gethostname()}-{os.getpid()}"


class Refused(Exception):
    """`code` is what the server says: fenced, not_found, bad_request ..."""

    def __init__(self, status, detail):
        super().__init__(detail.get("error_message", f"HTTP {status}"))
        self.status, self.code = status, detail.get("error_code")


class Api:
    """One project. A request whose answer was lost is sent again under the same key, so nothing is done twice."""

    def __init__(self, url, project):
        self.base, self.project = url.rstrip("/") + "/api/v1/projects", project

    def __call__(self, method, path, body=None, kind="application/json"):
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        headers = {"content-type": kind}
        if not path.endswith((":claim", ":heartbeat")):  # Those may be lost: rows and beats come round again.
            headers["idempotency-key"] = uuid.uuid4().hex
        if token := os.environ.get("SWITCHYARD_TOKEN"):
            headers["authorization"] = f"Bearer {token}"
        for pause in (0.2, 0.5, 1, 2, 5, 10, None):
            try:
                request = urllib.request.Request(self.base + path, data, headers, method=method)
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.loads(answer.read() or b"null")
            except urllib.error.HTTPError as error:
                if error.code != 503 or pause is None:
                    raise Refused(error.code, json.loads(error.read() or b"{}").get("detail", {})) from None
            except OSError:
                if pause is None:
                    raise
            time.sleep(pause)

    def get(self, path):
        return self("GET", f"/{self.project}{path}")

    def post(self, path, **body):
        return self("POST", f"/{self.project}{path}", body)

    def ensure(self, path, name, file):
        """Registers a profile or a tool from its YAML, unless there is one of that name."""
        known = {item.get("name") or item.get("tool_name") for item in self.get(path)["items"]}
        if name not in known:
            self("POST", f"/{self.project}{path}", file.read_bytes(), "text/yaml")


class Turn:
    """A turn this worker holds. Every write brings the epoch; where that is over, it is refused with 409 `fenced`."""

    def __init__(self, api, turn, epoch):
        self.api, self.turn, self.epoch = api, turn, epoch
        self.id, self.path = turn["agent_turn_id"], f"/turns/{turn['agent_turn_id']}"

    def do(self, verb, **body):
        return self.api.post(f"{self.path}:{verb}", epoch=self.epoch, **body)

    def cards(self, box, limit=500):
        return self.api.get(f"/boxes/{self.turn[box]}/cards?limit={limit}")

    def call(self, tool, arguments):
        """Calls a tool, or finds the call that it made before: {tool_call_id, result?}. Without a result, wait for it.

        What the turn has written is its only memory, so that going on after a wait and taking over from a worker that
        died are one and the same.
        """
        own = [card for card in self.cards("output_box_id") if card["origin"] == f"turn:{self.id}"]
        done = {card["tool_call_id"]: card["content"] for card in own if card["type"] == "tool.result"}
        made = [card["tool_call_id"] for card in own if (card["content"] or {}).get("tool_name") == tool]
        if not made:
            step = self.do("step", phase="started", note=f"calls {tool}")["step_id"]
            answer = self.do("call", step_id=step, tool_name=tool, arguments=arguments(), client_call_id=tool)
            self.do("step", phase="completed", step_id=step)
            made = [answer["tool_call_id"]]
            if answer["mode"] == "inline":
                done[made[0]] = answer
        return {"tool_call_id": made[0], "result": done.get(made[0])}

    def wait(self, tool_call_id):
        """The result when it has come already; None when the turn sleeps until it does: it is then claimed again."""
        slept = self.do("suspend", tool_call_ids=[tool_call_id])
        return None if slept["status"] == "suspended" else slept["results"][0]["card"]["content"]

    def deliver(self, **fields):
        values = [{"name": k, "value": v if isinstance(v, str) else json.dumps(v)} for k, v in fields.items()]
        self.do("deliver", status="success", content={"kind": "json", "data": {"fields": values}})

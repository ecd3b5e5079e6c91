# Checks a SCIM server with scim2-tester: conformance.py ADDRESS TOKEN. Prints one line a check, as JSON.
import json
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

address, token = sys.argv[1:3]
client = SyncSCIMClient(
    Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, timeout=30)
)
for result in check_server(client):
    print(json.dumps([result.status.name, result.title, str(result.reason)]))

# openapi-python-client
import os, sys
sys.path.insert(0, os.environ["CLIENT"])
from parley_client import AuthenticatedClient, Client
from parley_client import models as m
from parley_client.api.access import get_auth_token
from parley_client.api.users import create_user, list_users
from parley_client.api.rooms import create_room, list_rooms, fetch_room, edit_room, delete_room
from parley_client.api.meetings import get_room_link, join_room, leave_room
url, key, secret = os.environ["URL"], os.environ["KEY"], os.environ["SECRET"]
t = get_auth_token.sync(client=Client(base_url=url), body=m.GetAuthTokenRequest(access_key=key, secret_access_key=secret))
assert isinstance(t, m.GetAuthTokenAnswer)
c = AuthenticatedClient(base_url=url, token=t.auth_token.token)
made = create_user.sync(client=c, body=m.PersonInput(email=os.environ["EMAIL"], name="Ann", login_url="https://example.org/"))
assert isinstance(made, m.CreateUserAnswer)
room = create_room.sync(client=c, body=m.RoomInput(name="Board", room_owner_id=made.user.id))
assert isinstance(room, m.CreateRoomAnswer)
page = list_rooms.sync(client=c, search="Board", limit=10)
assert isinstance(page, m.ListRoomsAnswer) and page.pagination.total >= 1
fetched = fetch_room.sync(room.room_setting.room, client=c)
assert isinstance(fetched, m.FetchRoomAnswer)
edit = m.RoomEdit.from_dict({**fetched.room_setting.to_dict(), "name": "Board 2"})
edited = edit_room.sync(client=c, body=edit)
assert isinstance(edited, m.EditRoomAnswer) and edited.room_setting.name == "Board 2"
link = get_room_link.sync(client=c, body=m.GetRoomLinkRequest(room_id=room.room_setting.room))
assert isinstance(link, m.GetRoomLinkAnswer)
joined = join_room.sync(client=c, body=m.JoinRoomRequest(room_id=link.code, peer_name="Guest", peer_type=m.PeerType.PARTICIPANT))
assert isinstance(joined, m.JoinRoomAnswer) and joined.peer.peer_type == m.PeerType.PARTICIPANT
assert isinstance(leave_room.sync(client=c, body=m.LeaveRoomRequest(ticket=joined.ticket)), m.Success)
failure = fetch_room.sync("nothing", client=c)
assert isinstance(failure, m.TypedFailure) and failure.code == "room_not_found"
people = list_users.sync(client=c, body=m.ListUsersRequest(role="moderator"))
assert isinstance(people, m.ListUsersAnswer) and any(one.id == made.user.id for one in people.users)
gone = delete_room.sync(room.room_setting.room, client=c)
assert isinstance(gone, m.DeleteRoomAnswer)
print("10 calls")

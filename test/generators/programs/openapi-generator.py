# openapi-generator, python
import os, sys
sys.path.insert(0, os.environ["CLIENT"])
import openapi_client as p
url, key, secret = os.environ["URL"], os.environ["KEY"], os.environ["SECRET"]
config = p.Configuration(host=url)
client = p.ApiClient(config)
token = p.AccessApi(client).get_auth_token(p.GetAuthTokenRequest(accessKey=key, secretAccessKey=secret)).auth_token.token
config.access_token = token
users, rooms, meetings = p.UsersApi(client), p.RoomsApi(client), p.MeetingsApi(client)
made = users.create_user(p.PersonInput(email=os.environ["EMAIL"], name="Ann", loginUrl="https://example.org/"))
ann = made.user
room = rooms.create_room(p.RoomInput(name="Board", roomOwnerId=ann.id)).room_setting
page = rooms.list_rooms(search="Board", limit=10)
assert page.pagination.total >= 1 and page.room_settings[0].name == "Board"
fetched = rooms.fetch_room(room.room).room_setting
edited = rooms.edit_room(p.RoomEdit.from_dict({**fetched.to_dict(), "name": "Board 2"})).room_setting
assert edited.name == "Board 2"
link = meetings.get_room_link(p.GetRoomLinkRequest(roomId=room.room))
joined = meetings.join_room(p.JoinRoomRequest(roomId=link.code, peerName="Guest", peerType=p.PeerType.PARTICIPANT))
assert joined.peer.peer_type == p.PeerType.PARTICIPANT
meetings.leave_room(p.LeaveRoomRequest(ticket=joined.ticket))
try:
    rooms.fetch_room("nothing")
    assert False
except p.exceptions.NotFoundException as failure:
    import json
    assert json.loads(failure.body)["code"] == "room_not_found" and failure.data.code == "room_not_found", failure
people = users.list_users(p.ListUsersRequest(role="moderator"))
assert any(one.id == ann.id and one.rooms is not None for one in people.users)
assert rooms.delete_room(room.room).success
print("10 calls")

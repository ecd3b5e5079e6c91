// openapi-generator, java (native)
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Try {
  static void check(boolean holds, String about) {
    if (!holds) throw new IllegalStateException(about);
  }

  static ApiClient to(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("URL"));
    if (token != null) client.setRequestInterceptor(r -> r.header("Authorization", "Bearer " + token));
    return client;
  }

  public static void main(String[] args) throws Exception {
    ApiClient open = to(null);
    GetAuthTokenRequest key = new GetAuthTokenRequest().accessKey(System.getenv("KEY")).secretAccessKey(System.getenv("SECRET"));
    ApiClient client = to(new AccessApi(open).getAuthToken(key).getAuthToken().getToken());
    UsersApi users = new UsersApi(client);
    RoomsApi rooms = new RoomsApi(client);
    Person ann = users.createUser(new PersonInput().email(System.getenv("EMAIL")).name("Ann").loginUrl(java.net.URI.create("https://example.org/")), null).getUser();
    Room room = rooms.createRoom(new RoomInput().name("Board").roomOwnerId(ann.getId()), null).getRoomSetting();
    check(rooms.listRooms(null, null, null, null, "Board", null, null, null, null, null).getPagination().getTotal() >= 1, "listed");
    Room fetched = rooms.fetchRoom(room.getRoom()).getRoomSetting();
    RoomEdit edit = client.getObjectMapper().convertValue(fetched, RoomEdit.class).name("Board 2");
    check(rooms.editRoom(edit, null, null).getRoomSetting().getName().equals("Board 2"), "edited");
    String code = new MeetingsApi(client).getRoomLink(new GetRoomLinkRequest().roomId(room.getRoom()), null).getCode();
    MeetingsApi guest = new MeetingsApi(open);
    JoinRoomAnswer joined = guest.joinRoom(new JoinRoomRequest().roomId(code).peerName("Guest").peerType(PeerType.PARTICIPANT));
    check(joined.getPeer().getPeerType() == PeerType.PARTICIPANT, "joined");
    guest.leaveRoom(new LeaveRoomRequest().ticket(joined.getTicket()));
    try {
      rooms.fetchRoom("nothing");
      throw new IllegalStateException("found");
    } catch (ApiException failure) {
      TypedFailure body = client.getObjectMapper().readValue(failure.getResponseBody(), TypedFailure.class);
      check(failure.getCode() == 404 && body.getCode().equals("room_not_found"), "refused");
    }
    check(users.listUsers(new ListUsersRequest().role("moderator")).getUsers().size() > 0, "people");
    check(rooms.deleteRoom(room.getRoom(), null).getSuccess(), "deleted");
    System.out.println("10 calls");
  }
}

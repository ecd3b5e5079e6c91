// For every browser, so in the oldest syntax: the page of a meeting needs all of these features.
var hasAll =
  typeof RTCPeerConnection === "function" &&
  "addTransceiver" in RTCPeerConnection.prototype &&
  "toSorted" in Array.prototype &&
  typeof BroadcastChannel === "function";
if (!hasAll) document.getElementById("too-old").hidden = false;

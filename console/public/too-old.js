// For every browser, so in the oldest words: without one of these the page of a meeting cannot run.
var hasAll =
  typeof RTCPeerConnection === "function" &&
  "addTransceiver" in RTCPeerConnection.prototype &&
  "toSorted" in Array.prototype &&
  typeof BroadcastChannel === "function";
if (!hasAll) document.getElementById("too-old").hidden = false;

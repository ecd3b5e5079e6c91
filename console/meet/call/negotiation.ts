/** What one side of a connection knows when the other side's description arrives. */
export interface NegotiationState {
  /** Yields if both sides send offers at once (perfect negotiation, W3C WebRTC 1.0, section 10.7). */
  readonly polite: boolean;
  /** Whether an offer of its own is being made. */
  readonly isOffering: boolean;
  readonly state: RTCSignalingState;
}

/**
 * What becomes of the other side's description. late: an answer that nobody waits for any more; ignored: an
 * offer that crosses one of the side that does not yield.
 */
export const fateOf = (
  type: RTCSdpType,
  { polite, isOffering, state }: NegotiationState,
): "taken" | "late" | "ignored" => {
  if (type === "answer" && state !== "have-local-offer") return "late";
  const collides = type === "offer" && (isOffering || state !== "stable");
  return collides && !polite ? "ignored" : "taken";
};

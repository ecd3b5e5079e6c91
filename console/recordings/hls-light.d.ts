/** The build of hls.js without captions and encryption has no types of its own; they are the same. */
declare module "hls.js/light" {
  export { default } from "hls.js";
}

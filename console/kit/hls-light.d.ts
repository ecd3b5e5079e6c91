/** The build of hls.js without captions and encryption ships no types; those of the full build apply. */
declare module "hls.js/light" {
  export { default } from "hls.js";
}

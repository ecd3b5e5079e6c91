/** What stands in the way of a backup, a restore or a copy. The message is for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

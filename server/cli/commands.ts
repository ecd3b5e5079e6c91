import { accessKeyCreate } from "./access-key-create.ts";
import { accessKeyList } from "./access-key-list.ts";
import { accessKeyRemove } from "./access-key-remove.ts";
import { backup } from "./backup.ts";
import { backupList } from "./backup-list.ts";
import { backupVerify } from "./backup-verify.ts";
import type { CliCommand } from "./command.ts";
import { config } from "./config.ts";
import { copy } from "./copy.ts";
import { doctor } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { historyVerify } from "./history-verify.ts";
import { importCommand } from "./import.ts";
import { mailRetry } from "./mail-retry.ts";
import { mailTest } from "./mail-test.ts";
import { mediaInstall } from "./media-install.ts";
import { mediaStatus } from "./media-status.ts";
import { migrateCommand } from "./migrate.ts";
import { orgCreate } from "./org-create.ts";
import { orgDelete } from "./org-delete.ts";
import { orgExport } from "./org-export.ts";
import { orgList } from "./org-list.ts";
import { orgSet } from "./org-set.ts";
import {
  providerAdd,
  providerList,
  providerRemove,
  providerSet,
  providerTest,
  providerUnlink,
} from "./providers.ts";
import { restoreCommand } from "./restore.ts";
import { seedCommand } from "./seed.ts";
import { start } from "./start.ts";
import { upgradeCommand } from "./upgrade.ts";
import { userCreateAdmin } from "./user-create-admin.ts";
import { userPasskeys } from "./user-passkeys.ts";
import { userRemovePasskey } from "./user-remove-passkey.ts";
import { userResetFactors } from "./user-reset-factors.ts";
import { userResetPassword } from "./user-reset-password.ts";

/** Every command, in the order of the help. */
export const cliCommands: readonly CliCommand[] = [
  start,
  migrateCommand,
  upgradeCommand,
  config,
  doctor,
  backup,
  backupList,
  backupVerify,
  restoreCommand,
  copy,
  orgCreate,
  orgList,
  orgSet,
  orgDelete,
  orgExport,
  historyVerify,
  importCommand,
  exportCommand,
  accessKeyCreate,
  accessKeyList,
  accessKeyRemove,
  providerAdd,
  providerList,
  providerSet,
  providerRemove,
  providerTest,
  providerUnlink,
  userCreateAdmin,
  userResetPassword,
  userResetFactors,
  userPasskeys,
  userRemovePasskey,
  mailTest,
  mailRetry,
  mediaInstall,
  mediaStatus,
  seedCommand,
];

/** Names of PostgreSQL's most frequent conditions, from appendix A of its manual. */
const names: Readonly<Record<string, string>> = {
  "08000": "connection_exception",
  "08001": "sqlclient_unable_to_establish_sqlconnection",
  "08003": "connection_does_not_exist",
  "08004": "sqlserver_rejected_establishment_of_sqlconnection",
  "08006": "connection_failure",
  "08P01": "protocol_violation",
  "23502": "not_null_violation",
  "23503": "foreign_key_violation",
  "23505": "unique_violation",
  "23514": "check_violation",
  "25006": "read_only_sql_transaction",
  "25P02": "in_failed_sql_transaction",
  "25P03": "idle_in_transaction_session_timeout",
  "28000": "invalid_authorization_specification",
  "28P01": "invalid_password",
  "3D000": "invalid_catalog_name",
  "40001": "serialization_failure",
  "40P01": "deadlock_detected",
  "42501": "insufficient_privilege",
  "42P01": "undefined_table",
  "42703": "undefined_column",
  "53000": "insufficient_resources",
  "53100": "disk_full",
  "53200": "out_of_memory",
  "53300": "too_many_connections",
  "53400": "configuration_limit_exceeded",
  "55P03": "lock_not_available",
  "57014": "query_canceled",
  "57P01": "admin_shutdown",
  "57P02": "crash_shutdown",
  "57P03": "cannot_connect_now",
  "57P04": "database_dropped",
  "57P05": "idle_session_timeout",
  "58000": "system_error",
  "58030": "io_error",
  XX000: "internal_error",
  XX001: "data_corrupted",
  XX002: "index_corrupted",
};

/** Conditions that pass, or that the operator must fix: not caused by the request. */
const unavailable =
  /^(08(?!P01)...|53...|57P..|57014|55P03|25P03|25006|28...|3D000|40001|40P01|58...|XX00[12])$/;

/** Conditions after which the connection cannot be used. */
const fatal = /^(08...|57P..|25P03)$/;

/** The condition's name, or its code if it is not in the list. */
export const conditionName = (sqlstate: string): string =>
  names[sqlstate] ?? `sqlstate_${sqlstate}`;

/** Whether the database, and not the request, is the cause. */
export const saysUnavailable = (sqlstate: string): boolean => unavailable.test(sqlstate);

/** Whether the connection ends with this condition. */
export const endsConnection = (sqlstate: string): boolean => fatal.test(sqlstate);

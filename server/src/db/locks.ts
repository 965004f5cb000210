/**
 * First keys of the advisory locks of our database, all of them: two works under one number would wait for each other. (What holds
 * a data folder is in the database `postgres`: embedded.ts.)
 */
export const locks = {
  /** Held by every process until it ends: proof that it is alive. */
  presence: 7319,
  publish: 7320,
  /** The moves of one user's runs. */
  runsOfUser: 7321,
  runStart: 7322,
  queuePrepare: 7323,
  /** A market's ingestion: held for minutes. */
  ingest: 7331,
  /** The account that an address leads to. */
  address: 7333,
  /** What the limits of codes are counted by. */
  codeSend: 7334,
  sweep: 7335,
  follow: 7336,
  retention: 7337,
  packRuns: 7338,
  ticker: 7340,
  secretRotation: 7341,
  /** Held while a backup is made: minutes to hours. */
  backup: 7342,
  walShipping: 7343,
  /** While files are put among the backups, or old ones are removed from there. */
  backupFiles: 7344,
} as const

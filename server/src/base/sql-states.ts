/** SQLSTATEs of PostgreSQL that the server answers by name (PostgreSQL manual, appendix A). */
export const sqlStates = {
  invalidPassword: '28P01',
  invalidAuthorization: '28000',
  invalidCatalogName: '3D000',
  invalidTextRepresentation: '22P02',
  untranslatableCharacter: '22P05',
  characterNotInRepertoire: '22021',
  transactionResolutionUnknown: '08007',
  readOnlyTransaction: '25006',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  insufficientPrivilege: '42501',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
} as const

/** Of the client that an export carries. */
export const clientVersion = '1.0.0'

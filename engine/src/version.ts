/** Stored with every report; raised when the same input gives another number. */
export const engineVersion = '0.5.0'

/** A name as a part of a file's: without the signs that systems refuse, and no longer than they take with what follows (255 bytes). */
export const fileWord = (name: string): string => [...name.replace(/[\s\\/:*?"<>|]+/g, '')].slice(0, 50).join('')

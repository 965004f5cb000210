/** For `.catch`: null for a file that is not there any more. Files of a site that runs come and go. @throws what else went wrong */
export function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeCache } from '../src/base/code-cache.ts'

/** Environment: compiled code is shared by all processes of all tests; each would spend half a second on it, a compute child two. */
export const testCode = codeCache(join(tmpdir(), 'convexa-test-code'))

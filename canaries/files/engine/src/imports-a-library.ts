// biome lint/correctness/noUndeclaredDependencies: no library, even one that is installed beside us
import { z } from 'zod'

export const schema = z.string()

// biome lint/correctness/noUndeclaredDependencies: zod and nothing else
import fastify from 'fastify'

export const app = fastify()

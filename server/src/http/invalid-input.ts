import { placeInWords } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { z } from 'zod'
import { type ApiError, apiError } from '../base/api-error.ts'

type Issues = readonly z.core.$ZodIssue[]

/** The refusal of an input that is not as its schema says, with the place in Chinese words. */
export function invalid(issues: Issues): ApiError {
  const { path, what } = firstMistake(issues)
  return apiError(errorCodes.invalidRequest, wordsFor[what](path))
}

interface InputIssue {
  readonly path: readonly PropertyKey[]
  readonly what: 'wrong' | 'missing' | 'unknown'
}

const wordsFor: Readonly<Record<InputIssue['what'], (path: readonly PropertyKey[]) => string>> = {
  wrong: placeInWords,
  missing: (path) => `缺少${placeInWords(path)}`,
  unknown: (path) => `${path.length > 1 ? `${placeInWords(path.slice(0, -1))}中` : ''}不认识的字段「${String(path.at(-1)).slice(0, 40)}」`,
}

/** The first of the mistakes; of a union that of the branch that came nearest. */
function firstMistake(issues: Issues): InputIssue {
  const [issue] = issues
  if (!issue) return { path: [], what: 'wrong' }
  if (issue.code === 'unrecognized_keys') return { path: [...issue.path, issue.keys[0] ?? ''], what: 'unknown' }
  if (issue.code === 'invalid_union' && issue.errors.length) {
    // The nearest got deepest before its first mistake; of two that got as far it has fewer of them.
    const [nearest = []] = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)
    const inside = firstMistake(nearest)
    return { path: [...issue.path, ...inside.path], what: inside.what }
  }
  const missing = issue.code === 'invalid_type' && issue.path.length > 0 && /received undefined$/.test(issue.message)
  return { path: issue.path, what: missing ? 'missing' : 'wrong' }
}

const depthOf = (issues: Issues): number => Math.max(1, firstMistake(issues).path.length)

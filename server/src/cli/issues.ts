import { shown } from '@convexa/contract'
import type { z } from 'zod'
import { describeIssue } from '../base/describe-issue.ts'
import type { Issue } from './exits.ts'

/** All mistakes that zod found, with paths that begin with `members`. In a union that form counts which the value comes nearest to. */
export function issuesOf(error: z.ZodError, ...members: readonly string[]): readonly Issue[] {
  const all = error.issues.flatMap((issue) => flattened(issue, members))
  // A value that has the wrong form breaks further rules too.
  return all.filter(({ path }, at) => all.findIndex((other) => other.path === path) === at)
}

function flattened(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): readonly Issue[] {
  const path = [...above, ...issue.path]
  const forms = issue.code === 'invalid_union' ? issue.errors.filter((form) => form.length > 0) : []
  const [nearest] = forms.toSorted((a, b) => a.length - b.length || depth(b) - depth(a))
  if (nearest) return nearest.flatMap((each) => flattened(each, path))
  return [{ path: shown(path.map(String).join('.'), 80), expected: describeIssue(issue) }]
}

const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(...issues.map(({ path }) => path.length))

import type { Span } from './problem.ts'

export type UnaryOperator = '-' | '+' | 'not'
export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^' | '<' | '<=' | '>' | '>=' | '==' | '!=' | 'and' | 'or'

/** What the user wrote, with its places. */
export type Tree =
  | (Span & { readonly kind: 'number'; readonly value: number })
  | (Span & { readonly kind: 'text'; readonly value: string })
  | (Span & { readonly kind: 'name'; readonly name: string; readonly quoted: boolean })
  | (Span & { readonly kind: 'call'; readonly name: string; readonly nameEnd: number; readonly args: readonly Tree[] })
  | (Span & { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly of: Tree })
  | (Span & { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Tree; readonly right: Tree })
  | (Span & { readonly kind: 'choice'; readonly test: Tree; readonly yes: Tree; readonly no: Tree })

/** `name := value;` */
export interface Local extends Span {
  readonly name: string
  readonly value: Tree
}

/** Local names, then the expression that is the factor. */
export interface Program {
  readonly locals: readonly Local[]
  readonly result: Tree
}

/** What stands in a part of a formula, in the order in which it is written. */
export function partsOf(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'number':
    case 'text':
    case 'name':
      return []
    case 'call':
      return tree.args
    case 'unary':
      return [tree.of]
    case 'binary':
      return [tree.left, tree.right]
    case 'choice':
      return [tree.test, tree.yes, tree.no]
  }
}

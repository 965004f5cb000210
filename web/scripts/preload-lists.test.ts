import { expect, test } from 'vitest'
import { surelyLoaded } from './preload-lists.ts'

const chunk = (file: string, imports: readonly string[] = [], dynamicImports: readonly string[] = []) => ({
  file,
  isEntry: file === 'entry',
  imports,
  dynamicImports,
})

test('a chunk surely has what it imports and what every way to it has loaded', () => {
  const loaded = surelyLoaded([
    chunk('entry', ['react'], ['layout', 'login']),
    chunk('react'),
    chunk('layout', ['menu'], ['page']),
    chunk('menu', [], ['dialog']),
    chunk('login', ['field'], ['dialog']),
    chunk('field'),
    chunk('page', ['field'], ['dialog', 'editor']),
    chunk('dialog', ['sheet']),
    chunk('sheet'),
    chunk('editor', [], ['page']),
  ])
  const found = (file: string) => [...loaded.get(file)!].sort()
  expect(found('entry')).toEqual(['entry', 'react'])
  expect(found('page')).toEqual(['entry', 'field', 'layout', 'menu', 'page', 'react'])
  // By way of the login page neither the layout nor its menu is there.
  expect(found('dialog')).toEqual(['dialog', 'entry', 'react', 'sheet'])
  expect(found('editor')).toEqual(['editor', 'entry', 'field', 'layout', 'menu', 'page', 'react'])
})

import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

// What a screen reader is given: Chromium's own accessibility tree, by the DevTools protocol, and what live regions say. No reader runs here.

/** A node of `Accessibility.getFullAXTree`, as far as it is read here. */
interface AxNode {
  nodeId: string
  parentId?: string
  childIds?: string[]
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
  description?: { value: string }
  value?: { value: unknown }
  properties?: { name: string; value: { value?: unknown; relatedNodes?: { backendDOMNodeId: number }[] } }[]
  backendDOMNodeId?: number
}
interface Frame {
  frame: { id: string; url: string }
  childFrames?: Frame[]
}

const session = () => cdp() as unknown as { send<T>(method: string, params?: object): Promise<T> }

/** The part of a test is drawn in a frame of the page that runs the tests. */
async function ownFrame(): Promise<string> {
  const { frameTree } = await session().send<{ frameTree: Frame }>('Page.getFrameTree')
  const all = (at: Frame): Frame[] => [at, ...(at.childFrames ?? []).flatMap(all)]
  const own = all(frameTree).find(({ frame }) => frame.url === location.href.split('#')[0])
  if (!own) throw new Error('the frame of the test is not in the tree of frames')
  return own.frame.id
}

class Tree {
  private readonly nodes: readonly AxNode[]
  private readonly byId: Map<string, AxNode>
  constructor(nodes: readonly AxNode[]) {
    this.nodes = nodes
    this.byId = new Map(nodes.map((node) => [node.nodeId, node]))
  }
  static async read(): Promise<Tree> {
    const { nodes } = await session().send<{ nodes: AxNode[] }>('Accessibility.getFullAXTree', { frameId: await ownFrame() })
    return new Tree(nodes)
  }
  get root(): AxNode {
    return this.nodes.find(({ parentId }) => parentId === undefined)!
  }
  /** What is exposed directly below a node: nodes without a meaning of their own are passed through. */
  childrenOf(node: AxNode): AxNode[] {
    return (node.childIds ?? [])
      .map((id) => this.byId.get(id)!)
      .filter(Boolean)
      .flatMap((child) => (child.ignored || silent.has(roleOf(child)) ? this.childrenOf(child) : [child]))
  }
  ancestorsOf(node: AxNode): AxNode[] {
    const parent = node.parentId === undefined ? undefined : this.byId.get(node.parentId)
    return parent ? [...this.ancestorsOf(parent), parent] : []
  }
  /** What the reader stands on: the focus, or what the focus names as active. */
  get current(): AxNode | undefined {
    const focused = this.nodes.findLast((node) => propertyOf(node, 'focused') === true && roleOf(node) !== 'RootWebArea')
    const active = focused?.properties?.find(({ name }) => name === 'activedescendant')?.value.relatedNodes?.[0]
    return this.nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === active?.backendDOMNodeId && active !== undefined) ?? focused
  }
  /** Its place among its like, as a browser counts it: within the nearest list, menu or group. */
  private placeOf(node: AxNode): string[] {
    if (!counted.has(roleOf(node))) return []
    const set = this.ancestorsOf(node).findLast((one) => !one.ignored && sets.has(roleOf(one)))
    if (!set) return []
    const like = this.likeIn(set, roleOf(node))
    return [`${like.indexOf(node) + 1} of ${like.length}`]
  }
  private likeIn(node: AxNode, role: string): AxNode[] {
    return this.childrenOf(node).flatMap((child) =>
      roleOf(child) === role ? [child] : sets.has(roleOf(child)) ? [] : this.likeIn(child, role),
    )
  }
  /** Role, name, place, states, value and description of a node in one line. */
  lineOf(node: AxNode): string {
    const name = nameOf(node)
    const value = node.value?.value
    const said = [
      ...this.placeOf(node),
      ...statesOf(node),
      ...(value !== undefined && value !== '' && value !== name ? [`value "${value}"`] : []),
      ...(node.description?.value ? [`description "${node.description.value}"`] : []),
    ]
    const head = roleOf(node) === 'StaticText' ? `"${name}"` : `${roleOf(node)}${name ? ` "${name}"` : ''}`
    return [head, ...said].join(', ')
  }
  linesOf(node: AxNode, depth = 0): string[] {
    const below = this.childrenOf(node).filter((child) => roleOf(child) !== 'StaticText' || !nameOf(node).includes(nameOf(child)))
    return ['  '.repeat(depth) + this.lineOf(node), ...below.flatMap((child) => this.linesOf(child, depth + 1))]
  }
}

const silent = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'LabelText', 'ListMarker'])
const counted = new Set(['option', 'menuitem', 'radio', 'tab'])
const sets = new Set(['listbox', 'menu', 'group', 'radiogroup', 'tablist'])
/** What a reader says when it is entered. */
const contexts = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'group', 'grid', 'region', 'table'])

const roleOf = (node: AxNode) => node.role?.value ?? 'none'
const nameOf = (node: AxNode) => (node.name?.value ?? '').replace(/\s+/g, ' ').trim()
const propertyOf = (node: AxNode, name: string) => node.properties?.find((one) => one.name === name)?.value.value

/** The states that readers say, in words; those that mean nothing here (focusable, settable) are left out. */
function statesOf(node: AxNode): string[] {
  const is = (name: string) => propertyOf(node, name)
  const selectable = ['option', 'gridcell', 'tab'].includes(roleOf(node))
  const words: [boolean, string][] = [
    [is('focused') === true && roleOf(node) !== 'RootWebArea', 'focused'],
    [is('modal') === true, 'modal'],
    [is('hasPopup') !== undefined && is('hasPopup') !== 'false', `opens a ${is('hasPopup')}`],
    [is('expanded') === true, 'expanded'],
    [is('expanded') === false, 'collapsed'],
    [selectable && is('selected') === true, 'selected'],
    [is('checked') === 'true', 'checked'],
    [is('pressed') === 'true', 'pressed'],
    [is('disabled') === true, 'cannot be used'],
    [is('invalid') === 'true', 'invalid'],
    [is('required') === true, 'required'],
    [is('multiselectable') === true, 'several can be chosen'],
    [is('autocomplete') === 'list' || is('autocomplete') === 'both', `completes from a ${is('autocomplete')}`],
    [is('live') === 'polite' || is('live') === 'assertive', `live: ${is('live')}`],
  ]
  return words.filter(([holds]) => holds).map(([, word]) => word)
}

const regions = '[aria-live], [role=status], [role=alert], [role=log]'
const regionsIn = (part: Element): ReadonlySet<Element> =>
  new Set([...(part.matches(regions) ? [part] : []), ...part.querySelectorAll(regions)])

/** What a live region says when something in it changes. */
function spoken(region: Element, changed: Node): string {
  const isWhole = region.getAttribute('aria-atomic') === 'true' || ['status', 'alert'].includes(region.getAttribute('role') ?? '')
  return textOf(isWhole ? region : changed)
}
function textOf(node: Node): string {
  if (node instanceof Element && (node.closest('[aria-hidden=true]') || node instanceof SVGElement)) return ''
  if (node instanceof Text) return node.data.trim()
  return [...node.childNodes].map(textOf).filter(Boolean).join(' ')
}
const politenessOf = (region: Element): string =>
  region.getAttribute('aria-live') ?? (region.getAttribute('role') === 'alert' ? 'assertive' : 'polite')

/** The protocol of one walk through a part: each step with what is said at it, and the tree where it is asked for. */
export class Walk {
  private readonly lines: string[] = []
  private readonly said: string[] = []
  /** Live regions that stood before the change that is looked at. */
  private standing = regionsIn(document.body)
  private before: { line: string; around: readonly string[] } = { line: '', around: [] }

  constructor() {
    const observer = new MutationObserver((mutations) => this.hear(mutations))
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    onTestFinished(() => observer.disconnect())
  }

  private hear(mutations: readonly MutationRecord[]): void {
    for (const { target, addedNodes, type } of mutations) {
      for (const node of type === 'characterData' ? [target] : addedNodes) {
        const region = (node instanceof Element ? node : node.parentElement)?.closest(regions)
        const alerts = node instanceof Element ? [...regionsIn(node)].filter((one) => politenessOf(one) === 'assertive') : []
        // A region that comes together with its words is not read, but for an alert.
        for (const at of new Set([...(region && this.standing.has(region) ? [region] : []), ...alerts])) {
          const text = at.closest('[aria-hidden=true]') || politenessOf(at) === 'off' ? '' : spoken(at, at.contains(node) ? node : at)
          if (text) this.said.push(`live, ${politenessOf(at)}: "${text}"`)
        }
      }
    }
    this.standing = regionsIn(document.body)
  }

  /** Does something, waits for its effect, and writes down what a reader says then. */
  async step(what: string, act: () => Promise<unknown>, until: () => Promise<unknown>): Promise<void> {
    await act()
    await until()
    const tree = await Tree.read()
    const { current } = tree
    const line = current ? tree.lineOf(current) : 'nothing'
    const around = current
      ? tree
          .ancestorsOf(current)
          .filter((one) => !one.ignored && contexts.has(roleOf(one)))
          .map((one) => tree.lineOf(one))
      : []
    const entered = around.filter((one) => !this.before.around.includes(one))
    this.lines.push('', `> ${what}`)
    if (line !== this.before.line) this.lines.push([...entered, line].join(' › '))
    this.lines.push(...this.said.splice(0))
    this.before = { line, around }
  }

  /** The tree of everything that is drawn and not hidden from the reader. */
  async tree(): Promise<void> {
    const tree = await Tree.read()
    this.lines.push(...tree.childrenOf(tree.root).flatMap((node) => tree.linesOf(node, 1)))
  }

  get text(): string {
    return `${this.lines.join('\n').trim()}\n`
  }
}

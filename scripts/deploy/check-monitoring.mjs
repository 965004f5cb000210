// Expressions of alerts and of the dashboard: each can be read, and each metric and label is one that the server registers.
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'

/** Written by Prometheus and by its rules. */
const ofPrometheus = new Map([
  ['up', ['job', 'instance']],
  ['ALERTS', ['alertname', 'alertstate']],
])
/** Labels that a scraper adds. */
const ofScraper = ['instance', 'job', 'le']

/**
 * @param {string} expression
 * @param {Map<string, readonly string[]>} metrics labels by name
 */
export function expressionFaults(expression, metrics) {
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h')
  const faults = []
  let metric = null
  let seen = 0
  parser.parse(text).iterate({
    enter({ type, name, from, node }) {
      if (type.isError) faults.push(`cannot be read at “${text.slice(from, from + 12)}”`)
      if (name === 'VectorSelector') {
        const identifier = node.getChild('Identifier')
        metric = identifier ? text.slice(identifier.from, identifier.to) : null
        seen++
        if (metric === null) faults.push('a selector without a metric')
        else if (!metrics.has(metric) && !ofPrometheus.has(metric)) faults.push(`no metric ${metric} is registered`)
      }
      if (name === 'UnquotedLabelMatcher' && metric !== null) {
        const label = text.slice(node.firstChild.from, node.firstChild.to)
        const known = metrics.get(metric) ?? ofPrometheus.get(metric)
        if (known && ![...known, ...ofScraper].includes(label)) faults.push(`${metric} has no label ${label}`)
      }
    },
  })
  if (seen === 0) faults.push('it asks for no metric')
  return [...new Set(faults)]
}

/** `pages`: the names that the documentation has a section of. `wanted`: the alerts that there must be. */
export function alertFaults(text, metrics, pages, wanted) {
  const rules = parse(text).groups.flatMap(({ rules: all }) => all)
  const names = rules.map(({ alert }) => alert)
  const of = ({ alert, expr, labels, annotations }) => [
    ...expressionFaults(expr, metrics).map((what) => `${alert}: ${what}`),
    ...(['page', 'ticket'].includes(labels?.severity) ? [] : [`${alert}: severity is page or ticket`]),
    ...(annotations?.summary ? [] : [`${alert}: no summary`]),
    ...(pages.includes(alert) ? [] : [`${alert}: docs/alerts.md does not say what to do`]),
    ...(/\bsum\s*\((?!max by|increase|rate)/.test(expr) && !/http_request/.test(expr) ? [`${alert}: what every api tells is summed`] : []),
  ]
  return [
    ...rules.flatMap(of),
    ...wanted.filter((name) => !names.includes(name)).map((name) => `${name} is missing`),
    ...names.filter((name, k) => names.indexOf(name) !== k).map((name) => `${name} stands twice`),
    ...pages.filter((name) => !names.includes(name)).map((name) => `docs/alerts.md: ${name} is no alert`),
  ]
}

export function dashboardFaults(dashboard, metrics) {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')
  const rows = dashboard.panels.filter(({ type }) => type === 'row')
  const ids = new Set(dashboard.panels.map(({ id }) => id))
  const covers = (one, other) =>
    one.gridPos.x < other.gridPos.x + other.gridPos.w &&
    other.gridPos.x < one.gridPos.x + one.gridPos.w &&
    one.gridPos.y < other.gridPos.y + other.gridPos.h &&
    other.gridPos.y < one.gridPos.y + one.gridPos.h
  return [
    ...(panels.length === 24 ? [] : [`${panels.length} panels, not 24`]),
    ...(rows.length === 5 ? [] : [`${rows.length} rows, not 5`]),
    ...(ids.size === dashboard.panels.length ? [] : ['two panels have one id']),
    ...panels.flatMap((panel) =>
      panel.targets.flatMap(({ expr }) => expressionFaults(expr, metrics).map((what) => `${panel.title}: ${what}`)),
    ),
    ...dashboard.panels.flatMap((panel, k) =>
      dashboard.panels
        .slice(k + 1)
        .filter((other) => covers(panel, other))
        .map((other) => `${panel.title} covers ${other.title}`),
    ),
    ...panels.filter(({ gridPos: { x, w } }) => x + w > 24).map(({ title }) => `${title} is outside`),
  ]
}

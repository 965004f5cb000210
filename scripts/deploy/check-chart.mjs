// The chart: its values against their schema, and what its rendered objects must hold.
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

/** As Helm lays one file of values over another. */
export function overlaid(under, over) {
  if (!isObject(under) || !isObject(over)) return over
  const names = new Set([...Object.keys(under), ...Object.keys(over)])
  return Object.fromEntries([...names].map((name) => [name, name in over ? overlaid(under[name], over[name]) : under[name]]))
}

/** Faults of values.yaml with the files laid over it. */
export function valueFaults(schema, ...files) {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true })
  const validate = ajv.compile(schema)
  const values = files.map((text) => parse(text)).reduce(overlaid)
  return validate(values) ? [] : validate.errors.map(({ instancePath, message }) => `${instancePath || 'values'} ${message}`)
}

/** Objects that `helm template` has written. */
export const objectsIn = (text) =>
  parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null)

const containersOf = (object) => {
  const { spec } = object.spec?.template ?? {}
  return spec ? spec.containers.map((container) => ({ object, spec, container })) : []
}
const nameOf = ({ kind, metadata }) => `${kind} ${metadata.name}`
const settingOf = ({ env = [] }, name) => env.find((one) => one.name === name)?.value

/** Faults of the objects rendered with some values, beside those of the schemas of Kubernetes. `settings`: names of those of the product. */
export function objectFaults(objects, values, settings) {
  const one = (kind, end) => objects.find((object) => object.kind === kind && object.metadata.name.endsWith(end))
  const api = one('Deployment', '-api')
  const worker = one('Deployment', '-worker')
  const faults = []
  const must = (holds, what) => void (holds || faults.push(what))
  must(api && worker, 'api and worker are not both there')
  if (!api || !worker) return faults
  must(api.spec.strategy.rollingUpdate.maxUnavailable === 0, 'an api is taken away before another is ready')
  must(api.spec.template.spec.terminationGracePeriodSeconds === 40, 'an api is given other than 40 s')
  must(worker.spec.template.spec.terminationGracePeriodSeconds === 90, 'a worker is given other than 90 s')
  const [calls] = worker.spec.template.spec.containers
  must(settingOf(calls, 'WORKER_BIND') === '0.0.0.0' && settingOf(calls, 'WORKER_ADVERTISE') === '$(POD_IP)', 'a worker cannot be called')
  must(calls.env[0].name === 'POD_IP', 'POD_IP must stand before what uses it')
  must(settingOf(calls, 'STREAM_GRACE_SECONDS') === '60', 'a worker does not let runs end')
  must(calls.readinessProbe.httpGet.port === 'calls', 'the readiness of a worker is not asked on its private port')
  must(
    !objects.some(({ kind, spec }) => kind === 'Service' && spec.selector['app.kubernetes.io/component'] === 'worker'),
    'workers have a service',
  )
  must(!values.api.autoscaling.enabled || api.spec.replicas === undefined, 'replicas of the api are set beside its autoscaler')
  must(!values.worker.autoscaling.enabled || worker.spec.replicas === undefined, 'replicas of the worker are set beside its autoscaler')
  for (const { object, spec, container } of objects.flatMap(containersOf)) {
    const of = (holds, what) => must(holds, `${nameOf(object)}: ${what}`)
    const security = container.securityContext
    of(
      security.readOnlyRootFilesystem && security.capabilities.drop.includes('ALL') && !security.allowPrivilegeEscalation,
      'rights are left',
    )
    of(spec.securityContext.runAsNonRoot && spec.securityContext.runAsUser === 10_001, 'it does not run as user 10001')
    of(spec.automountServiceAccountToken === false, 'it is given a token of the cluster')
    of(container.resources.limits?.memory && container.resources.requests?.memory, 'no limit of memory')
    of(container.resources.limits?.cpu === undefined, 'a limit of CPU')
    of(!/:(latest)?$|@sha256/.test(container.image), 'its image has no tag of a version')
    const clear = container.env.filter(({ name, value }) => /KEY|TOKEN|DATABASE_URL|PASSWORD/.test(name) && value !== undefined)
    of(clear.length === 0, `${clear.map(({ name }) => name).join()} in clear`)
    const unknown = container.env.filter(({ name }) => name !== 'POD_IP' && !settings.has(name))
    of(unknown.length === 0, `${unknown.map(({ name }) => name).join()}: no setting`)
    const twice = container.env.filter(({ name }, k) => container.env.findIndex((other) => other.name === name) !== k)
    of(twice.length === 0, `${twice.map(({ name }) => name).join()} stands twice`)
  }
  return [...faults, ...scalerFaults(objects, values), ...foreignFaults(objects, values)]
}

function scalerFaults(objects, values) {
  const scaled = objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler' || kind === 'ScaledObject')
  const { by, enabled } = values.worker.autoscaling
  const ofWorker = scaled.filter(({ spec }) => spec.scaleTargetRef.name.endsWith('-worker'))
  const deployments = objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)
  return [
    ...scaled.filter(({ spec }) => !deployments.includes(spec.scaleTargetRef.name)).map((one) => `${nameOf(one)} scales nothing`),
    ...(ofWorker.length === (enabled ? 1 : 0) ? [] : [`${ofWorker.length} scalers of the worker`]),
    ...(enabled && (ofWorker[0]?.kind === 'ScaledObject') !== (by === 'keda') ? ['the worker is scaled otherwise than asked for'] : []),
  ]
}

/** Kinds whose schemas Kubernetes does not know. */
const foreign = {
  ScaledObject(object, objects) {
    const [trigger] = object.spec.triggers
    const authentication = objects.find(({ kind }) => kind === 'TriggerAuthentication')
    return [
      ...(trigger.type === 'postgresql' && /^select count\(\*\) from backtest_run where status = 0$/.test(trigger.metadata.query)
        ? []
        : ['it does not count waiting runs']),
      ...(Number(trigger.metadata.targetQueryValue) > 0 && typeof trigger.metadata.targetQueryValue === 'string' ? [] : ['no target']),
      ...(trigger.authenticationRef?.name === authentication?.metadata.name ? [] : ['no authentication']),
      ...(object.spec.cooldownPeriod === 600 ? [] : ['it goes down sooner than after ten minutes']),
    ]
  },
  TriggerAuthentication: (object) => (object.spec.secretTargetRef?.[0]?.parameter === 'connection' ? [] : ['no connection']),
  PodMonitor: (object) => [
    ...(object.spec.podMetricsEndpoints?.[0]?.port === 'metrics' ? [] : ['it asks another port']),
    ...(object.spec.podMetricsEndpoints?.[0]?.authorization?.credentials?.key === 'metrics-token' ? [] : ['it shows no token']),
  ],
  Cluster: (object) => [
    ...(object.spec.instances < 3 || object.spec.postgresql?.synchronous?.dataDurability === 'required' ? [] : ['no synchronous standby']),
    ...(object.spec.bootstrap?.initdb?.encoding === 'UTF8' ? [] : ['its encoding is not UTF8']),
  ],
}
/** Kinds that are checked by assertions of ours only. */
export const foreignKinds = Object.keys(foreign)

function foreignFaults(objects, values) {
  const expected = {
    ScaledObject: values.worker.autoscaling.enabled && values.worker.autoscaling.by === 'keda',
    PodMonitor: values.metrics.enabled && values.metrics.podMonitor,
    Cluster: values.cnpg.enabled,
  }
  const there = new Set(objects.map(({ kind }) => kind))
  return [
    ...Object.entries(expected)
      .filter(([kind, is]) => there.has(kind) !== is)
      .map(([kind, is]) => `${kind}: ${is ? 'missing' : 'not asked for'}`),
    ...objects.flatMap((object) => (foreign[object.kind]?.(object, objects) ?? []).map((what) => `${nameOf(object)}: ${what}`)),
  ]
}

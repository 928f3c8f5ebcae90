// Metrics of mail: messages that the SMTP server did not take.
import { Counter, type Registry } from 'prom-client'

/** 0 from the start of a process on, so that an increase shows the first failure too. */
const failures = new Counter({
  name: 'rapport_mail_failures_total',
  help: 'Messages that this process could not pass to the SMTP server, each try counted',
  registers: [],
})

export const countMailFailure = (): void => failures.inc()

export const measureMail = (registry: Registry): void => registry.registerMetric(failures)

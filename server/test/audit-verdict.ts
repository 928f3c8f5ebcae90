// Interprets the output of `npm audit --json`.

interface Vulnerability {
  severity: string
  range: string
  fixAvailable: unknown
}

interface AuditReport {
  vulnerabilities?: Record<string, Vulnerability>
  /** The error if the registry does not answer. */
  message?: string
}

interface Verdict {
  lines: string[]
  isClean: boolean
}

/** Moderate and low advisories are listed, but do not fail the audit. */
const FAILING = ['high', 'critical']

function parse(output: string): AuditReport {
  try {
    return (JSON.parse(output) ?? {}) as AuditReport
  } catch {
    return {}
  }
}

export function verdictOf(output: string): Verdict {
  const { vulnerabilities, message } = parse(output)
  if (!vulnerabilities)
    return {
      lines: [`the registry does not answer for advisories: ${message ?? 'no answer'}`],
      isClean: true,
    }
  const found = Object.entries(vulnerabilities)
  if (found.length === 0) return { lines: ['no known vulnerability'], isClean: true }
  return {
    lines: found.map(
      ([name, { severity, range, fixAvailable }]) =>
        `${severity}: ${name} ${range}${fixAvailable ? ', a fix is available' : ''}`,
    ),
    isClean: !found.some(([, { severity }]) => FAILING.includes(severity)),
  }
}

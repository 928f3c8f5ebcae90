// What the output of `npm audit --json` means.

interface Vulnerability {
  severity: string
  range: string
  fixAvailable: unknown
}

interface AuditReport {
  vulnerabilities?: Record<string, Vulnerability>
  /** Of a registry that does not answer. */
  message?: string
}

interface Verdict {
  lines: string[]
  isClean: boolean
}

/** Moderate and low advisories are named, and fail nothing. */
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

// Permitted exceptions of a static check, each with its reason; an unused exception fails.

export interface Exceptions {
  /** The faults without permitted ones. */
  excepting(faults: readonly string[]): string[]
  /** Exceptions that no fault has used so far. */
  unused(): string[]
}

/** @param reasons reasons by the permitted fault */
export function createExceptions(reasons: Readonly<Record<string, string>>): Exceptions {
  const used = new Set<string>()
  return {
    excepting(faults) {
      for (const fault of faults) if (Object.hasOwn(reasons, fault)) used.add(fault)
      return faults.filter((fault) => !Object.hasOwn(reasons, fault))
    },
    unused: () => Object.keys(reasons).filter((fault) => !used.has(fault)),
  }
}

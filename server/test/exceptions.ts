// What a static check allows all the same, each with its reason; an exception that is no longer needed fails.

export interface Exceptions {
  /** The faults without those that are allowed. */
  excepting(faults: readonly string[]): string[]
  /** Exceptions that no fault has needed so far. */
  unused(): string[]
}

/** @param reasons by the fault that each allows */
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

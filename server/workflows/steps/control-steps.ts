// The steps that the interpreter executes itself. It knows these alone: the others reach services and the database.
import { branch } from './branch.ts'
import { condition } from './condition.ts'
import { delay } from './delay.ts'
import { fail } from './fail.ts'
import { forEach } from './for-each.ts'
import { setVariables } from './set-variables.ts'
import { stop } from './stop.ts'

export const CONTROL_STEPS = {
  condition,
  branch,
  for_each: forEach,
  set_variables: setVariables,
  delay,
  stop,
  fail,
}

// Consequences in numbers.
export { counted, countedAll, formatCount } from '../../contract/counted.ts'

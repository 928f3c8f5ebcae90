// Whether the window is narrow: the sidebar lies over the page then, and a bar is above it.
import { useMediaQuery } from '@mantine/hooks'

export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })

// Whether the window is narrow. In a narrow window the sidebar is a drawer, and a bar is shown above the page.
import { useMediaQuery } from '@mantine/hooks'

export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })

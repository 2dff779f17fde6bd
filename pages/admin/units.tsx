import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { UnitsScreen } from '../../components/admin/UnitsScreen';
import { screenPage } from '../../components/ui/screenPage';
import { signedInPage } from '../../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Units', 'manageSite', UnitsScreen, NoAdminAccess);

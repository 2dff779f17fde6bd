import { ErrorsScreen } from '../../components/admin/ErrorsScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { screenPage } from '../../components/ui/screenPage';
import { signedInPage } from '../../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Errors', 'manageSite', ErrorsScreen, NoAdminAccess);
